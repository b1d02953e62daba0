import { type AdaptPlan, compilePlan } from './adapt.ts'
import { profileResolver, type ResolvedProfile } from './resolve-profile.ts'
import type { FieldRules, ProfileEntry } from './target-profile.ts'

/** Finds the plan for bodies of a format to a model; `undefined` where nothing is to be fitted. */
export type PlanLookup = (format: string, model: string) => AdaptPlan | undefined

/** Callers may invent names of models without end. */
const maxPlans = 2048

/** The lookup of chat: a plan is compiled once for each model and format. */
export function chatPlans(entry: ProfileEntry, vendor: string): PlanLookup {
  if ('chat' in entry) return () => undefined
  const { effortSuffix = false } = entry
  const resolve = profileResolver(entry)
  return cached((format, model) => compilePlan(resolve(model), { format, model, vendor, effortSuffix }))
}

/** The lookup of a mode of OpenAI's form other than chat. */
export function fieldPlans(rules: FieldRules | undefined, vendor: string): PlanLookup {
  if (rules === undefined) return () => undefined
  const profile: ResolvedProfile = { fields: rules }
  return cached((_format, model) => compilePlan(profile, { format: 'openai-chat', model, vendor }))
}

function cached(compile: PlanLookup): PlanLookup {
  const byFormat = new Map<string, Map<string, AdaptPlan | undefined>>()
  return (format, model) => {
    const plans = byFormat.get(format) ?? new Map<string, AdaptPlan | undefined>()
    if (plans.has(model)) return plans.get(model)
    if (plans.size >= maxPlans) plans.clear()
    const plan = compile(format, model)
    byFormat.set(format, plans.set(model, plan))
    return plan
  }
}
