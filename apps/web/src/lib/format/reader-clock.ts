import { type Zone, zoneOf } from '@tollgate/api/calendar'
import { dateNow } from '../server-clock.ts'

/** The clock of this device, as calls name it. Nodes of the version before know minutes alone. */
export function clockHere(now: Date = dateNow()): {
  readonly utc_offset: number
  readonly time_zone: string
} {
  return {
    utc_offset: -now.getTimezoneOffset(),
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
}

/** The zone of this device, with its changes of the clock. */
export function zoneHere(): Zone {
  return zoneOf(clockHere())
}
