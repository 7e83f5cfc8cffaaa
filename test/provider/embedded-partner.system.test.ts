import { chain } from "./acceptance";

chain("embedded");
