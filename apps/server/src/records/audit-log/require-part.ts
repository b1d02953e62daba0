import { type AdminPart, hasPart, type PartHolder } from '@tollgate/api'
import { Refusal } from '../../lib/refusal.ts'

/** Refuses an administrator who lacks the part that an effect needs, whichever call leads to it. */
export function requirePart(actor: PartHolder, part: AdminPart): void {
  if (!hasPart(actor, part)) throw new Refusal('admin_part_missing', { parts: part })
}
