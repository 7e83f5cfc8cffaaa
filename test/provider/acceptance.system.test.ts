/** Every form of a program that needs nothing but its engine. */
import { livesOf } from "./acceptance";
import { engines, formsOf } from "./programs";

for (const engine of engines) for (const form of formsOf(engine, "dynamic", "plugin", "yaml")) livesOf(engine, form);
