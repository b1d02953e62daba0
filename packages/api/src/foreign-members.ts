/**
 * Members that consoles of the same contract, older or newer, send with an effect there and none here: the member that has it here,
 * or null. They are refused by name unless they are empty; who sends a member that nobody knows is only told.
 */
export const foreignMembers: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  channel: { header_override: null, remark: null },
  token: { subnet: 'allow_ips', models: 'model_limits', cross_group_retry: null },
  user: { remark: null },
  redemption: { expired_time: null },
}

/** Members that consoles of the contract send beside those that count. */
export const repeatedMembers: Readonly<Record<string, readonly string[]>> = {
  // The form's list beside the comma list `group`.
  channel: ['groups'],
}

/** The resource of a call's path: `channel` of `/api/channel/test`. */
export function resourceOf(path: string): string {
  return path.split('/')[2] ?? ''
}
