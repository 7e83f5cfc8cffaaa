/** The events of AWS Lambda's HTTP sources, of one notification, as their documentation shows them. */
import type { ALBEvent, APIGatewayProxyEvent, APIGatewayProxyEventV2 } from "aws-lambda";

interface Message {
  method?: string;
  headers: Record<string, string>;
  body?: string;
  /** Whether the source encodes the body, as it does with types that it takes for binary. */
  isBase64Encoded?: boolean;
}

const encode = ({ body, isBase64Encoded = false }: Message) => ({
  body: body !== undefined && isBase64Encoded ? Buffer.from(body).toString("base64") : body,
  isBase64Encoded,
});
const listed = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
const lowered = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const restEvent = (message: Message) =>
  ({
    resource: "/esign",
    path: "/esign",
    httpMethod: message.method ?? "POST",
    headers: message.headers,
    multiValueHeaders: listed(message.headers),
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: null,
    stageVariables: null,
    requestContext: { httpMethod: message.method ?? "POST", identity: { sourceIp: "203.0.113.1" }, stage: "prod" },
    ...encode(message),
    body: encode(message).body ?? null,
  }) as unknown as APIGatewayProxyEvent;

const httpEvent = (message: Message) =>
  ({
    version: "2.0",
    routeKey: "$default",
    rawPath: "/esign",
    rawQueryString: "",
    headers: lowered(message.headers),
    requestContext: {
      domainName: "x.lambda-url.example",
      http: { method: message.method ?? "POST", path: "/esign", protocol: "HTTP/1.1", sourceIp: "203.0.113.1" },
    },
    ...encode(message),
  }) as unknown as APIGatewayProxyEventV2;

const balancerEvent = ({ headers, ...message }: Message, isMulti: boolean) =>
  ({
    requestContext: { elb: { targetGroupArn: "arn:aws:elasticloadbalancing:x:1:targetgroup/t/1" } },
    httpMethod: message.method ?? "POST",
    path: "/esign",
    ...(isMulti
      ? { multiValueHeaders: listed(lowered(headers)), multiValueQueryStringParameters: {} }
      : { headers: lowered(headers), queryStringParameters: {} }),
    ...encode({ headers, ...message }),
    body: encode({ headers, ...message }).body ?? "",
  }) as ALBEvent;

/** By source. */
export const lambdaEvents = {
  "REST API": restEvent,
  "HTTP API or function URL": httpEvent,
  "load balancer": (message: Message) => balancerEvent(message, false),
  "load balancer with multi-value headers": (message: Message) => balancerEvent(message, true),
} satisfies Record<string, (message: Message) => APIGatewayProxyEvent | APIGatewayProxyEventV2 | ALBEvent>;
