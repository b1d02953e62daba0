import {
  type CodeKinds,
  decodeErrorBody,
  objectOf,
  parseJson,
  type UpstreamErrorInfo,
  type UpstreamErrorKind,
  type UpstreamFailure,
} from '@tollgate/formats'

/** https://www.xfyun.cn/doc/spark/%E6%8E%A5%E5%8F%A3%E8%AF%B4%E6%98%8E.html */
const codes: readonly (readonly [UpstreamErrorKind, readonly number[]])[] = [
  ['content_policy', [10013, 10014, 10019, 10021]],
  ['bad_request', [10003, 10004, 10005, 10163, 10907]],
  ['rate_limited', [10006, 10007, 11201, 11202, 11203]],
  ['forbidden', [10015, 10016]],
  ['quota', [11200]],
  ['overloaded', [10008, 10110]],
]

const codeKinds: CodeKinds = Object.fromEntries(
  codes.flatMap(([kind, list]) => list.map((code) => [String(code), kind])),
)

/** A message that is no failure and still taken for one ended an answer without a word in it. */
export function decodeError(failure: UpstreamFailure): UpstreamErrorInfo {
  const { code } = objectOf(objectOf(parseJson(failure.body)).header)
  if (code !== 0) return decodeErrorBody(failure, codeKinds)
  const body = JSON.stringify({ code: 'empty_response', message: 'The upstream sent an empty answer.' })
  return decodeErrorBody({ ...failure, body })
}
