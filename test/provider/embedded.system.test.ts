import { acceptance } from "./acceptance";

acceptance("embedded");
