import type { JobBody, JobCost } from '@tollgate/api'
import { parseNumber } from '../../components/ui/field/input.tsx'

/** A job as it is typed. */
export interface JobForm {
  readonly input: string
  readonly cached: string
  readonly output: string
  readonly calls: string
  /** The input itself, which is counted; blank: `input` counts. */
  readonly text: string
}

/** Figures of a job by their names. */
export const jobFigures = ['input', 'cached', 'output', 'calls'] as const
export type JobFigure = (typeof jobFigures)[number]

/** A question of some length with a short response. */
export const startJob: JobForm = { input: '10000', cached: '', output: '1000', calls: '1', text: '' }

const maxTokens = 100_000_000
const maxCalls = 1_000_000

/** Finds the figures that are no whole numbers within their bounds. */
export function jobProblems(form: JobForm): readonly JobFigure[] {
  return jobFigures.filter((name) => figureOf(form, name) === undefined)
}

function figureOf(form: JobForm, name: JobFigure): number | undefined {
  if (form[name].trim() === '') return name === 'calls' ? 1 : 0
  const value = parseNumber(form[name], false)
  const [min, max] = name === 'calls' ? [1, maxCalls] : [0, maxTokens]
  return value !== undefined && value >= min && value <= max ? value : undefined
}

/** Returns the size of a job without problems. */
export function jobOf(form: JobForm, group: string): JobBody {
  const figure = (name: JobFigure) => figureOf(form, name) ?? 0
  return {
    group,
    input_tokens: figure('input'),
    cached_tokens: figure('cached'),
    output_tokens: figure('output'),
    calls: figure('calls'),
    ...(form.text !== '' && { text: form.text }),
  }
}

/** Decides whether a call of the job is longer than the model reads and writes. */
export function isTooLong(
  context: number | undefined,
  { input_tokens }: Pick<JobCost, 'input_tokens'>,
  output: number,
): boolean {
  return context !== undefined && input_tokens + output > context
}
