export {
  type AccountBodyBudget,
  type AccountBodyBudgets,
  type ByteBudget,
  createAccountBodyBudgets,
  createByteBudget,
  type SharedBytes,
} from './byte-budget.ts'
export type { Application } from './connection-host.ts'
export { replyByFetch, StreamedResponse } from './fetch-handler.ts'
export { type HttpServer, type HttpServerOptions, serveHttp } from './http-server.ts'
export type { DisconnectListener, InboundRequest } from './inbound-request.ts'
export { takeInheritedSockets } from './inherited-sockets.ts'
export type { BodySink, ProtocolUpgrade, Reply, StreamedBody } from './reply.ts'
export { type HeaderFields, RefusedRequestError } from './request-head.ts'
export { ShareExceededError } from './request-receiver.ts'
export { openSharedPort, type SharedPort } from './shared-port.ts'
export type { UpgradedConnection, UpgradeHandler, UpgradeListener } from './upgrade.ts'
