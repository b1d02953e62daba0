import { Refusal } from '../../lib/refusal.ts'
import type { SettingsReader } from '../../settings/settings.ts'

/** Groups are those that have a ratio. */
export function refuseUnknownGroup({ current }: SettingsReader, group: string): void {
  if (!Object.hasOwn(current.GroupRatio, group)) throw new Refusal('user_group_unknown', { group })
}
