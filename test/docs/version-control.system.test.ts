import { testOnExportedAccount } from "./exported-account";

testOnExportedAccount("version-control");
