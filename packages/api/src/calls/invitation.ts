import { z } from 'zod'
import { roles } from '../roles.ts'
import { secretText } from '../secret-fields.ts'
import { emptyData, quota, unixSeconds } from '../wire.ts'
import { del, get, post } from './define.ts'

/** Days for which an invitation is valid at most, and by default. */
export const invitationMaxDays = 30
export const invitationDefaultDays = 7
const maxQuota = 10 ** 15

/** Role, group and balance of an invited person. */
const offer = {
  /** 1: a common user; 10: an administrator, whom root alone invites. */
  role: z.literal([roles.common, roles.admin]),
  group: z.string(),
  /** Beside the gift for new users. */
  quota,
  /** For whoever reads the list. */
  note: z.string(),
}

/** An invitation that nobody has taken yet, without its link. */
export const invitation = z.object({
  id: z.string(),
  ...offer,
  created_at: unixSeconds,
  expires_at: unixSeconds,
  inviter_name: z.string(),
})
/** An open invitation. */
export type Invitation = z.output<typeof invitation>

const id = z.string().regex(/^[0-9a-f]{16}$/)
const token = z.string().max(200)

/** Invitations of colleagues by a link with a role: good once, also while registration is closed. */
export const invitations = {
  /** Newest first: the caller's own, and for root those of everybody. */
  list: get('admin', '/api/invitation/', { part: 'users', recentProof: 'reads', data: z.array(invitation) }),
  /** The link of a new invitation is in this response, and nowhere else. */
  create: post('admin', '/api/invitation/', {
    part: 'users',
    partForEffect: { part: 'money', effect: 'moves-a-balance' },
    // It makes an account.
    recentProof: true,
    body: z.object({
      role: offer.role.default(roles.common),
      group: z.string().min(1).max(100).default('default'),
      quota: z.number().int().min(0).max(maxQuota).default(0),
      note: z.string().trim().max(100).default(''),
      days: z.number().int().min(1).max(invitationMaxDays).default(invitationDefaultDays),
      /** Mailed there, where mail is set up. */
      email: z.string().trim().max(320).default(''),
    }),
    data: z.object({ id: z.string(), token: secretText(), expires_at: unixSeconds, mailed: z.boolean() }),
  }),
  revoke: del('admin', '/api/invitation/:id', {
    part: 'users',
    recentProof: 'withdraws',
    params: z.object({ id }),
    data: emptyData,
  }),
  /** Reads what a link offers. */
  look: post('public', '/api/invitation/look', {
    recentProof: 'reads',
    critical: true,
    body: z.object({ token }),
    data: z.object({ role: offer.role, inviter_name: z.string(), expires_at: unixSeconds }),
  }),
  /** Opens the account of a link, which is used up. */
  accept: post('public', '/api/invitation/accept', {
    recentProof: 'proves',
    critical: true,
    countsSuccess: true,
    body: z.object({ token, username: z.string(), password: z.string() }),
    data: emptyData,
  }),
}
