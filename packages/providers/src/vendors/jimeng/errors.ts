import {
  type CodeKinds,
  decodeErrorBody,
  isObject,
  objectOf,
  parseJson,
  type UpstreamErrorInfo,
  type UpstreamFailure,
} from '@tollgate/formats'
import { meaningsOf } from '../../words.ts'

/** Codes of the service, and of Volcengine's gateway in front of it. */
const codeKinds: CodeKinds = meaningsOf({
  bad_request: '50200 50207 50215',
  forbidden: '50400 AccessDenied',
  content_policy: '50411 50412 50413 50511 50512 50516 50517 50518 50519',
  rate_limited: '50429 50430 FlowLimitExceeded',
  upstream_bug: '50500 50501 50520',
  unauthorized: `
    MissingAuthenticationToken InvalidAccessKey InvalidAuthorization InvalidCredential InvalidTimestamp
    SignatureDoesNotMatch
  `,
  timeout: 'InternalServiceTimeout',
  overloaded: 'ServiceUnavailableTemporarily',
})

/** Volcengine's API gateway reports a bad signature in a shape of its own. */
export function decodeError(failure: UpstreamFailure): UpstreamErrorInfo {
  const { Error: error } = objectOf(objectOf(parseJson(failure.body)).ResponseMetadata)
  if (!isObject(error)) return decodeErrorBody(failure, codeKinds)
  const { Code: code, Message: message } = error
  return decodeErrorBody({ ...failure, body: JSON.stringify({ error: { code, message } }) }, codeKinds)
}

/** Codes that end a task: Jimeng refused its prompt, its images or its result. */
export function endsTask(code: unknown): boolean {
  const kind = codeKinds[String(code)]
  return kind === 'content_policy' || kind === 'bad_request'
}
