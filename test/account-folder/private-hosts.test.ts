import { expect, it } from "vitest";
import { isPrivate } from "../../account-folder/text/private-hosts";

const own = [
  "localhost",
  "intranet",
  "printer.local",
  "db.internal",
  "router.lan",
  "a.home.arpa",
  "127.0.0.1",
  "10.1.2.3",
  "192.168.0.1",
  "[::1]",
  "[fd00::1]",
];
const open = ["example.com", "local.example.com", "8.8.8.8", "[2001:db8::1]", "11.0.0.1"];

it.each(own)("%s is reached from here only, with the dot of a full name, too", (host) => {
  expect([isPrivate(host), isPrivate(host.includes("[") ? host : `${host}.`)]).toEqual([true, true]);
});

it.each(open)("%s is reached from anywhere", (host) => {
  expect([isPrivate(host), isPrivate(host.includes("[") ? host : `${host}.`)]).toEqual([false, false]);
});
