import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { calls, type JobBody, type JobCost, maxCountedText } from '@tollgate/api'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../components/ui/card.tsx'
import { Field } from '../../components/ui/field/field.tsx'
import { Input, Textarea } from '../../components/ui/field/input.tsx'
import { request } from '../../lib/api/api-client.ts'
import { useUser } from '../../lib/session/session.ts'
import { type JobForm, jobFigures, jobOf, jobProblems } from './job-form.ts'

const typingMs = 300

function jobQuery(body: JobBody, enabled: boolean) {
  return queryOptions({
    queryKey: ['pricing', 'job', body],
    queryFn: ({ signal }) => request(calls.pricing.job, { body, signal }),
    enabled,
    // A pasted text stays in no cache for longer than it is on screen.
    gcTime: 0,
    placeholderData: keepPreviousData,
  })
}

/** Costs of the job by model, a moment after typing stops; `undefined` while it is closed or cannot be read. */
export function useJobCosts(form: JobForm, group: string, isOpen: boolean) {
  const [settled, setSettled] = useState(form)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(form), typingMs)
    return () => clearTimeout(timer)
  }, [form])
  const isReadable = isOpen && jobProblems(settled).length === 0
  const query = useQuery(jobQuery(jobOf(settled, group), isReadable))
  const costs: readonly JobCost[] | undefined = isReadable ? query.data : undefined
  return { costs, output: jobOf(settled, group).output_tokens, error: isReadable ? query.error : null }
}

interface JobPanelProps {
  readonly form: JobForm
  readonly error: Error | null
  readonly onChange: (form: JobForm) => void
}

/** The size of a job: tokens that are typed, or a text that is pasted. */
export function JobPanel({ form, error, onChange }: JobPanelProps) {
  const { t } = useTranslation('pricing')
  const user = useUser()
  const problems = jobProblems(form)
  return (
    <Card title={t('job.title')} description={t('job.description')}>
      <div className="flex flex-col gap-3">
        <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
          {jobFigures.map((name) => (
            <Field
              key={name}
              label={t(`job.${name}`)}
              error={
                problems.includes(name) ? t(name === 'calls' ? 'job.callsWrong' : 'job.wrong') : undefined
              }
            >
              <Input
                inputMode="numeric"
                value={form[name]}
                disabled={name === 'input' && form.text !== ''}
                placeholder={name === 'calls' ? '1' : '0'}
                onChange={(event) => onChange({ ...form, [name]: event.target.value })}
              />
            </Field>
          ))}
        </div>
        {user && (
          <Field label={t('job.text')} hint={t('job.textHint', { max: maxCountedText.toLocaleString('en') })}>
            <Textarea
              rows={2}
              value={form.text}
              maxLength={maxCountedText}
              onChange={(event) => onChange({ ...form, text: event.target.value })}
            />
          </Field>
        )}
        {error && (
          <p role="alert" className="text-bad text-xs">
            {error.message}
          </p>
        )}
      </div>
    </Card>
  )
}
