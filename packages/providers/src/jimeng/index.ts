import { bearer } from '../credential.ts'
import { isGatewayKey } from '../gateway-task.ts'
import { keyParts } from '../key-parts.ts'
import type { Provider } from '../provider.ts'
import { decodeError } from './errors.ts'
import { signVolcengine } from './signature.ts'
import { defaultBaseUrl, jimengVideo } from './video.ts'

/** Jimeng, or another gateway before it. https://www.volcengine.com/docs/85621/1544774 */
export const jimeng: Provider = {
  id: 'jimeng',
  defaultBaseUrl,
  credential: {
    kind: 'signed',
    sign(request, { key }, tools) {
      if (isGatewayKey(key)) return { ...request, headers: { ...request.headers, ...bearer({ key }) } }
      const [accessKey, secretKey] = keyParts(key, 'AccessKey|SecretKey')
      return signVolcengine(request, { accessKey, secretKey }, tools)
    },
  },
  modes: [],
  operation: () => undefined,
  tasks: { video: () => jimengVideo },
  decodeError,
}
