import { testOnExportedAccount } from "./exported-account";

testOnExportedAccount("how-to/detect-drift");
