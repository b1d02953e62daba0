import type { UpstreamErrorInfo } from '@tollgate/formats'
import { OutboundError } from '../../../lib/outbound-fetch.ts'
import { readSmall } from '../../../upstream/query.ts'
import { channelTarget } from '../../../upstream/upstream-channel.ts'
import type { Upstreams } from '../../../upstream/upstreams.ts'
import { RelayError } from '../../relay-error.ts'
import type { PassedReply } from '../passed-task.ts'
import { keyIndexOf } from '../task-key.ts'
import type { Origin } from './drawing-origin.ts'

export interface SeedDependencies {
  readonly upstreams: Pick<Upstreams, 'ask'>
  readonly tasks: { readonly hashKey: (key: string) => string }
}

const limits = { timeoutMs: 30_000, maxBytes: 64 * 1024 }
