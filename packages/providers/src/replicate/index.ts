import { decodeErrorBody } from '@tollgate/formats'
import { bearer } from '../credential.ts'
import type { Provider } from '../provider.ts'
import { defaultBaseUrl, replicateVideo } from './video.ts'

/** https://replicate.com/docs/reference/http */
export const replicate: Provider = {
  id: 'replicate',
  defaultBaseUrl,
  credential: { kind: 'headers', headers: bearer },
  modes: [],
  operation: () => undefined,
  tasks: { video: () => replicateVideo },
  decodeError: (failure) => decodeErrorBody(failure),
}
