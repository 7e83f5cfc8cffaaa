import { lives } from "./acceptance";

lives("embedded");
