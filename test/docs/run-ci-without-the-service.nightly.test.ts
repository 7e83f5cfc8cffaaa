import { testOnExportedAccount } from "./exported-account";

testOnExportedAccount("how-to/run-ci-without-the-service");
