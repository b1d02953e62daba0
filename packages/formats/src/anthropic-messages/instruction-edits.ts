import type { RequestText } from '../json/text.ts'
import { type JsonEdits, memberText } from '../json/text.ts'
import { listOf } from '../json/value.ts'
import { type Instructions, withFirstItem, withFirstText } from '../requests/instructions.ts'

/** `system` as it is written: a text, or a list of blocks. */
export function instructionEdits(
  { text: body, scan, body: { system } }: RequestText,
  { text, always }: Instructions,
): JsonEdits | undefined {
  const member = scan.members.get('system')
  const hasText = typeof system === 'string' && system !== ''
  const hasOwn = member !== undefined && (hasText || listOf(system).length > 0)
  if (hasOwn && !always) return undefined
  if (!hasOwn) return new Map([['system', JSON.stringify(text)]])
  const own = memberText(body, member)
  return new Map([
    ['system', hasText ? withFirstText(own, text) : withFirstItem(own, { type: 'text', text })],
  ])
}
