import { type Instructions, withFirstItem } from '../instructions.ts'
import { type JsonEdits, memberText } from '../json-text.ts'
import { listOf, objectOf } from '../json-value.ts'
import type { RequestText } from '../request-text.ts'

/** A system message in front of the others. */
export function instructionEdits(
  { text: body, scan, body: { messages } }: RequestText,
  { text, always }: Instructions,
): JsonEdits | undefined {
  const member = scan.members.get('messages')
  if (member === undefined || (!always && listOf(messages).some(isInstruction))) return undefined
  return new Map([['messages', withFirstItem(memberText(body, member), { role: 'system', content: text })]])
}

function isInstruction(message: unknown): boolean {
  const { role } = objectOf(message)
  return role === 'system' || role === 'developer'
}
