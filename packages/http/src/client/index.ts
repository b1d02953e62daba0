export { fetchExchange } from './fetched-exchange.ts'
export { ConnectError, type HttpAnswer, type HttpExchange } from './http-answer.ts'
export { createHttpClient, type HttpClient, type HttpTarget, httpTarget } from './http-client.ts'
