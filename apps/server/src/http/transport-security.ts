import type { SettingsReader } from '../settings/settings.ts'
import type { ClientAddresses } from './client-address.ts'

const daySeconds = 24 * 3600

/** Returns `Strict-Transport-Security` for the sender of a request; `undefined` where it is off, or the sender came without TLS. */
export function createTransportSecurity(
  settings: SettingsReader,
  addresses: Pick<ClientAddresses, 'isSecure'>,
) {
  return (sender: Parameters<ClientAddresses['isSecure']>[0]): string | undefined => {
    const days = settings.current.HstsDays
    return days > 0 && addresses.isSecure(sender) ? `max-age=${days * daySeconds}` : undefined
  }
}
