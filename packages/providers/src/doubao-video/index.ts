import { decodeErrorBody } from '@tollgate/formats'
import { bearer } from '../credential.ts'
import type { Provider } from '../provider.ts'
import { arkBaseUrl, seedance } from '../seedance.ts'

/** Volcengine Ark for videos alone, whatever its models and endpoints are called. https://www.volcengine.com/docs/82379/1520757 */
export const doubaoVideo: Provider = {
  id: 'doubao-video',
  defaultBaseUrl: arkBaseUrl,
  credential: { kind: 'headers', headers: bearer },
  modes: [],
  operation: () => undefined,
  tasks: { video: () => seedance },
  decodeError: (failure) => decodeErrorBody(failure),
}
