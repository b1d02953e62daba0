import { z } from 'zod'
import type { ListEntry } from './kinds.ts'
import { accepted, refused } from './result.ts'

/** A mail domain such as example.com: labels of up to 61 letters, digits and hyphens, letters alone at the end. */
export const domainEntry: ListEntry = (entry) =>
  /^([a-z\d]([a-z\d-]{0,59}[a-z\d])?\.)+[a-z]{2,61}$/i.test(entry)
    ? accepted(entry.toLowerCase())
    : refused('option_not_domain', { entry })

/** An address, or a range in CIDR notation. */
export const addressRangeEntry: ListEntry = (entry) =>
  addressRange().safeParse(entry).success ? accepted(entry) : refused('option_not_address_range', { entry })

let built: z.ZodType | undefined
/** Built when first needed: the catalogue must cost nothing at start. */
function addressRange(): z.ZodType {
  built ??= z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
  return built
}
