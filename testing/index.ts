/** `pulumi-esign/testing`: deploys a program to an emulator in a test, with any test runner. */
export { esignMocks } from "./mocks";
export { type TestEffect, type TestRun, TestRunError, TestStack, type TestStackOptions, testStack } from "./test-stack";
