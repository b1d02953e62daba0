import type { UpstreamErrorInfo } from '@tollgate/formats'
import type { RoutedChannel } from './routing-types.ts'

/** Applies the channel's `status_code_mapping`: retries, disabling and the caller see the mapped status. */
export function mapStatus(
  error: UpstreamErrorInfo,
  { statusCodeMapping }: Pick<RoutedChannel, 'statusCodeMapping'>,
): UpstreamErrorInfo {
  const status = statusCodeMapping.get(error.status)
  return status === undefined ? error : { ...error, status }
}
