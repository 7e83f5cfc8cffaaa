/**
 * Preloaded by commands that tests start: the key of a passphrase and a salt is derived once for all of them, since that takes a fifth
 * of a second, as much as the rest of many commands. Commands in the test's own process do the same: engine/test/warm-processes.ts.
 */
"use strict";
const crypto = require("node:crypto");
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

const folder = join(tmpdir(), "keys");

function fileOf([passphrase, salt, ...options]) {
  const text = JSON.stringify([passphrase, salt.toString("hex"), ...options]);
  return join(folder, crypto.createHash("sha256").update(text).digest("hex"));
}

function read(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function keep(file, key) {
  mkdirSync(folder, { recursive: true });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, key);
  renameSync(temporary, file);
}

const { pbkdf2, pbkdf2Sync } = crypto;
crypto.pbkdf2 = (...args) => {
  const done = args.pop();
  const file = fileOf(args);
  const key = read(file);
  if (key !== undefined) return void setImmediate(done, null, key);
  return pbkdf2(...args, (error, derived) => {
    if (!error) keep(file, derived);
    done(error, derived);
  });
};
crypto.pbkdf2Sync = (...args) => {
  const file = fileOf(args);
  const kept = read(file);
  if (kept !== undefined) return kept;
  const key = pbkdf2Sync(...args);
  keep(file, key);
  return key;
};
