import { createPasswords } from '../login/passwords.ts'

/** Passwords as they are stored, at the lowest cost: a hash takes a thousandth of the processor time. */
export const quickPasswords = createPasswords({ memoryCost: 8, timeCost: 1 })
