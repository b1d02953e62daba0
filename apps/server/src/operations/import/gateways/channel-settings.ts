import { costSwitches, privacySwitches } from '@tollgate/api'
import type { Note } from '../import-source.ts'
import { type Members, membersOf, unplacedMembers } from './members.ts'

/** Members of a channel's `setting` that mean the same here and there. */
const sameInSetting: ReadonlySet<string> = new Set([
  'force_format',
  'thinking_to_content',
  'proxy',
  'pass_through_body_enabled',
  'system_prompt',
  'system_prompt_override',
])
/** Members of `settings`, a later column of new-api, that are members of `setting` here. */
const sameInSettings: ReadonlySet<string> = new Set([...costSwitches, ...privacySwitches])

/**
 * The two objects of settings that a channel has there as the one that it has here, with a note for every member that is set and
 * has no place here.
 */
export function settingOf(
  texts: { readonly setting: string; readonly settings: string },
  name: string,
): { readonly setting: Members; readonly changes: readonly Note[] } {
  const changes: Note[] = []
  const members = (column: 'setting' | 'settings', same: ReadonlySet<string>): Members => {
    const read = membersOf(texts[column])
    if (read === undefined) {
      changes.push({ reason: `channels.${column} is no JSON object and is left out`, example: name })
      return {}
    }
    for (const reason of unplacedMembers(`channels.${column}`, read, same))
      changes.push({ reason, example: name })
    return Object.fromEntries(Object.entries(read).filter(([member]) => same.has(member)))
  }
  const setting = { ...members('setting', sameInSetting), ...members('settings', sameInSettings) }
  return { setting, changes }
}
