export { fetchExchange } from './fetched-exchange.ts'
export { createHttpClient, type HttpClient, type HttpClientOptions, type SendOptions } from './http-client.ts'
export type { HttpRequest, RequestBody, StreamedRequestBody } from './http-message.ts'
export {
  ConnectError,
  type ConnectFailure,
  type Endpoint,
  type HttpExchange,
  type HttpResponse,
  type HttpTarget,
  httpTarget,
} from './http-message.ts'
