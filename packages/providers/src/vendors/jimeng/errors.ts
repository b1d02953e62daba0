import {
  type CodeKinds,
  decodeErrorBody,
  isObject,
  objectOf,
  parseJson,
  type UpstreamErrorInfo,
  type UpstreamFailure,
} from '@tollgate/formats'

/** Of the service, and of Volcengine's door before it. https://www.volcengine.com/docs/6369/68677 */
const codeKinds: CodeKinds = {
  '50200': 'bad_request',
  '50207': 'bad_request',
  '50215': 'bad_request',
  '50400': 'forbidden',
  '50411': 'content_policy',
  '50412': 'content_policy',
  '50413': 'content_policy',
  '50429': 'rate_limited',
  '50430': 'rate_limited',
  '50500': 'upstream_bug',
  '50501': 'upstream_bug',
  '50511': 'content_policy',
  '50512': 'content_policy',
  '50516': 'content_policy',
  '50517': 'content_policy',
  '50518': 'content_policy',
  '50519': 'content_policy',
  '50520': 'upstream_bug',
  MissingAuthenticationToken: 'unauthorized',
  InvalidAccessKey: 'unauthorized',
  InvalidAuthorization: 'unauthorized',
  InvalidCredential: 'unauthorized',
  InvalidTimestamp: 'unauthorized',
  SignatureDoesNotMatch: 'unauthorized',
  AccessDenied: 'forbidden',
  FlowLimitExceeded: 'rate_limited',
  InternalServiceTimeout: 'timeout',
  ServiceUnavailableTemporarily: 'overloaded',
}

/** Volcengine's door tells what is wrong with a signature in a shape of its own. */
export function decodeError(failure: UpstreamFailure): UpstreamErrorInfo {
  const { Error: error } = objectOf(objectOf(parseJson(failure.body)).ResponseMetadata)
  if (!isObject(error)) return decodeErrorBody(failure, codeKinds)
  const { Code: code, Message: message } = error
  return decodeErrorBody({ ...failure, body: JSON.stringify({ error: { code, message } }) }, codeKinds)
}

/** Codes that a task ends with: its words or pictures were refused, or what it made. */
export function endsTask(code: unknown): boolean {
  const kind = codeKinds[String(code)]
  return kind === 'content_policy' || kind === 'bad_request'
}
