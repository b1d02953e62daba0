import { type CodeKinds, decodeErrorBody, type UpstreamErrorKind } from '@tollgate/formats'

/** https://cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh */
const codes: Readonly<Record<UpstreamErrorKind, readonly number[]>> = {
  unauthorized: [13, 14, 15, 110, 111],
  forbidden: [6],
  rate_limited: [4, 17, 18, 19, 336501, 336502],
  overloaded: [2, 336100],
  bad_request: [3, 100, 336001, 336002, 336003, 336004, 336005, 336006, 336007],
  upstream_bug: [1, 336000],
  quota: [],
  not_found: [],
  timeout: [],
  content_policy: [],
}

const codeKinds: CodeKinds = Object.fromEntries(
  Object.entries(codes).flatMap(([kind, list]) =>
    list.map((code) => [String(code), kind as UpstreamErrorKind]),
  ),
)

export const decodeError = (failure: Parameters<typeof decodeErrorBody>[0]) =>
  decodeErrorBody(failure, codeKinds)
