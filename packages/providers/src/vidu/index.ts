import {
  type CodeKinds,
  decodeErrorBody,
  isObject,
  parseJson,
  type UpstreamErrorInfo,
  type UpstreamFailure,
} from '@tollgate/formats'
import type { Provider } from '../provider.ts'
import { defaultBaseUrl, viduVideo } from './video.ts'

/** https://platform.vidu.com/docs/error-code */
const codeKinds: CodeKinds = {
  AuditSubmitIllegal: 'content_policy',
  CreationPolicyViolation: 'content_policy',
  TaskPromptPolicyViolation: 'content_policy',
  CreditInsufficient: 'quota',
  ModelUnavailable: 'not_found',
  TaskNotFound: 'not_found',
  QuotaExceeded: 'rate_limited',
  SystemThrottling: 'rate_limited',
  OperationInProcess: 'rate_limited',
}

/** The code is a status; what is wrong stands beside it. */
function decodeError(failure: UpstreamFailure): UpstreamErrorInfo {
  const body = parseJson(failure.body)
  if (!isObject(body) || typeof body.reason !== 'string') return decodeErrorBody(failure, codeKinds)
  const error = { code: body.reason, message: body.message }
  return decodeErrorBody({ ...failure, body: JSON.stringify({ error }) }, codeKinds)
}

/** https://platform.vidu.com/docs */
export const vidu: Provider = {
  id: 'vidu',
  defaultBaseUrl,
  credential: { kind: 'headers', headers: ({ key }) => ({ authorization: `Token ${key}` }) },
  modes: [],
  operation: () => undefined,
  tasks: { video: () => viduVideo },
  decodeError,
}
