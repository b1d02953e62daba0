import { type CodeKinds, decodeErrorBody } from '@tollgate/formats'
import { bearer } from '../credential.ts'
import { isGatewayKey } from '../gateway-task.ts'
import { keyParts } from '../key-parts.ts'
import type { Provider } from '../provider.ts'
import { klingToken } from './token.ts'
import { defaultBaseUrl, klingVideo } from './video.ts'

/** https://app.klingai.com/global/dev/document-api/apiReference/commonInfo */
const codeKinds: CodeKinds = {
  '1000': 'unauthorized',
  '1001': 'unauthorized',
  '1002': 'unauthorized',
  '1003': 'unauthorized',
  '1004': 'unauthorized',
  '1100': 'forbidden',
  '1101': 'quota',
  '1102': 'quota',
  '1103': 'forbidden',
  '1200': 'bad_request',
  '1201': 'bad_request',
  '1202': 'bad_request',
  '1203': 'not_found',
  '1300': 'content_policy',
  '1301': 'content_policy',
  '1302': 'rate_limited',
  '1303': 'rate_limited',
  '1304': 'forbidden',
  '5000': 'upstream_bug',
  '5001': 'overloaded',
  '5002': 'timeout',
}

/** Kling, or another gateway before it. https://app.klingai.com/global/dev/document-api */
export const kling: Provider = {
  id: 'kling',
  defaultBaseUrl,
  credential: {
    kind: 'signed',
    sign(request, { key }, tools) {
      const [accessKey, secretKey] = isGatewayKey(key) ? [] : keyParts(key, 'AccessKey|SecretKey')
      const token = accessKey && secretKey ? klingToken({ accessKey, secretKey }, tools) : key
      return { ...request, headers: { ...request.headers, ...bearer({ key: token }) } }
    },
  },
  modes: [],
  operation: () => undefined,
  tasks: { video: () => klingVideo },
  decodeError: (failure) => decodeErrorBody(failure, codeKinds),
}
