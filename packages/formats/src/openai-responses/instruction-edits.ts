import { type Instructions, withFirstText } from '../instructions.ts'
import { type JsonEdits, memberText } from '../json-text.ts'
import { listOf, objectOf } from '../json-value.ts'
import type { RequestText } from '../request-text.ts'

/** `instructions` stand in front of the whole input. */
export function instructionEdits(
  { text: body, scan, body: { instructions, input } }: RequestText,
  { text, always }: Instructions,
): JsonEdits | undefined {
  const member = scan.members.get('instructions')
  const hasOwn = typeof instructions === 'string' && instructions !== ''
  if (!always && (hasOwn || listOf(input).some(isInstruction))) return undefined
  const own = hasOwn && member !== undefined ? memberText(body, member) : undefined
  return new Map([['instructions', own === undefined ? JSON.stringify(text) : withFirstText(own, text)]])
}

function isInstruction(item: unknown): boolean {
  const { role } = objectOf(item)
  return role === 'system' || role === 'developer'
}
