/** Words that tell of an account's money or membership, wherever they stand. */
const accountWords: readonly RegExp[] = [
  /\binsufficient[ _](account |user )?(balance|quota|credits?|funds)/i,
  /\b(balance|credits?|quota|funds)\b.{0,30}\b(insufficient|too low|not enough|exhausted|depleted|used up|ran out|exceeded)/i,
  /\b(not|no|don't have|doesn't have)( any| enough| sufficient| more)? (credits?|balance|funds|quota)\b/i,
  /\b(exceeded|exhausted|depleted|used)( up)? (your|the|all|its)\b.{0,30}\b(quota|credits?|budget|balance|allowance)/i,
  /\bcredit (balance|limit)\b|\bspend(ing)? limit\b|\barrears\b/i,
  /\bbudget\b.{0,30}\b(exceeded|limit)|\bover budget\b/i,
  /\b(account|organi[sz]ation|workspace|team|project)\b.{0,60}\b(suspended|disabled|deactivated|restricted|terminated|banned|locked|closed)\b/i,
  /\b(remain(ing)?|need|user|token|pre-?consumed?)[ _]quota\b/i,
  /余额|欠费|额度|充值|配额|资源包|封禁/,
]

/** Words of plans and groups, which a call's own text may hold by chance: they hide a message, and decide nothing. */
const planWords: readonly RegExp[] = [
  /\bbilling\b|\bpayment\b|\bpurchase\b|\brecharge\b|\btop.?up\b|\boverdue\b|\bupgrade\b|\bfree[- ]tier\b|\bsubscription\b/i,
  /\b(your|the|this|our) ((current|own|openai|azure|anthropic|google) )?(account|organi[sz]ation|workspace|team|project|tenant|plan|deployment|pricing tier)\b|\bin organi[sz]ation\b/i,
  /\bpricing tier\b|\bextra usage\b|\b(data|privacy) (policy|settings)\b|\baccount settings\b|\bguardrails?\b|\bquota ?increase\b/i,
  /\b(account|organi[sz]ation|project|team|workspace)\b.{0,80}\b(does|do) not have access\b/i,
  /账单|订阅|请求数限制|分组|\bunder group\b|\bgroup\b.{0,60}\bno available channel|\bno available channel\b.{0,80}\bgroup\b/i,
]

/** Returns whether a text tells of the account it was sent with. Quotations do not count: upstreams quote what callers wrote. */
export function tellsOfAccount(text: string): boolean {
  const plain = withoutQuotations(text)
  return accountWords.some((pattern) => pattern.test(plain))
}

/** Returns whether a text tells of the account, or of its plan. */
export function tellsOfPlan(text: string): boolean {
  const plain = withoutQuotations(text)
  return tellsOfAccount(text) || planWords.some((pattern) => pattern.test(plain)) || namesHolder.test(text)
}

/** An account by its name, which is quoted. */
const namesHolder = /\b(for|of|in) (account|organi[sz]ation|project|team) ["'`]/i

/**
 * Recognises a text that repeats another party's body, quoted or not: its quotations are that party's words, and a caller gets none of
 * them that tell of an account.
 */
export function repeatsAccount(text: string): boolean {
  return repeatsBody.test(text) && [...accountWords, ...planWords].some((pattern) => pattern.test(text))
}

const repeatsBody =
  /^The upstream (responded with status|sent) |\berror code: \d{3}\b|exception -|\bstatus code:? \d{3}\b|\b(body|upstream error|provider error|response) ?[:=]|["']?(error|message|detail|type|code)["']? ?: ?["'{]/i

/** Removes all from the first quotation mark to the last, since a quoted value may contain quotation marks. */
export function withoutQuotations(message: string): string {
  return message.replace(/(?<!\w)'.*'(?!\w)|".*"|`.*`/gs, ' ')
}

/** Names, ids and figures of an account, and what stands for them. */
const facts: readonly (readonly [RegExp, string])[] = [
  [/\barn:aws[\w-]*:[^\s"'`,;)]+/gi, '[resource]'],
  [/\bprojects\/[\w.:-]+/gi, 'projects/[project]'],
  [/\b(project(_number)?|consumer)[ :=]+["'`]?\d{6,}/gi, '$1 [project]'],
  [
    /\b(organi[sz]ation|org|team|workspace|tenant|account|customer|project)(( |_)?(id|name))?( ?[:=] ?| )(["'`<]?)(?=[\w.@-]*\d)[\w.@-]{6,}[>"'`]?/gi,
    '$1 [account]',
  ],
  [
    /\b(user|key|group|subscription)([ _]?(id|name|hash))? ?[=:] ?["'`<]?(?=[\w.@-]*\d)[\w.@-]{6,}[>"'`]?/gi,
    '$1 [account]',
  ],
  [/\b[\w.+-]{1,64}@[\w-]{1,64}(\.[\w-]{1,64}){1,4}/g, '[account]'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '[id]'],
  [/\b(ends?|ending) (in|with) ["'`]?[\w-]{3,}["'`]?/gi, '$1 $2 [key]'],
  [/(?:US)?[$¥￥＄€£]\s?-?\d[\d.,]*/g, '[amount]'],
  [/\b-?\d[\d.,]* ?(USD|CNY|EUR|credits?)\b/gi, '[amount]'],
]

/** Figures of a rate limit: they are those of the operator's account, not of the caller's key. */
const limitFigures: readonly (readonly [RegExp, string])[] = [
  [
    /\b(limit|used|current|quota|remaining|allowed|maximum)( ?[:=/] ?| of | is | )\d+([,.]\d+)*/gi,
    '$1 [number]',
  ],
  [/\b\d+([,.]\d+)* (requests?|tokens?|calls?) (per|\/|a|every) /gi, '[number] $2 $3 '],
]

/** The text without ids, names and amounts of the account. */
export function withoutAccountFacts(text: string): string {
  return replaceAll(text, facts)
}

/** The text without the figures of the account's rate limits. */
export function withoutLimitFigures(text: string): string {
  return replaceAll(text, limitFigures)
}

function replaceAll(text: string, patterns: readonly (readonly [RegExp, string])[]): string {
  let out = text
  for (const [pattern, mark] of patterns) out = out.replace(pattern, mark)
  return out
}
