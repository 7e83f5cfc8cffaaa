import { testOnExportedAccount } from "./exported-account";

testOnExportedAccount("how-to/edit-email-templates");
