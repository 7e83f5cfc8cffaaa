import { testOnExportedAccount } from "./exported-account";

testOnExportedAccount("how-to/preview-and-lint-emails");
