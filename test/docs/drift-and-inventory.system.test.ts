import { testOnExportedAccount } from "./exported-account";

testOnExportedAccount("drift-and-inventory");
