import { testOnExportedAccount } from "./exported-account";

testOnExportedAccount("preview-and-lint");
