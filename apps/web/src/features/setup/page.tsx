import '../../styles/pages.css'
import { mutationOptions, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { calls, type SessionUser, type SetupBody } from '@tollgate/api'
import type { TFunction } from 'i18next'
import { CircleHelp } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../components/ui/button.tsx'
import { RadioGroup } from '../../components/ui/field/choice.tsx'
import { Field } from '../../components/ui/field/field.tsx'
import { Input, PasswordInput } from '../../components/ui/field/input.tsx'
import { Dialog } from '../../components/ui/overlay/dialog.tsx'
import { ErrorState, Skeleton } from '../../components/ui/states.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { ApiError, request } from '../../lib/api/api-client.ts'
import { writeLocal } from '../../lib/browser/local-store.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { clearUser, storeUser } from '../../lib/session/session.ts'
import { type SetupForm, type SetupNeeds, setupBodyOf, setupProblems, usageModes } from './form.ts'

const blankForm: SetupForm = { username: '', password: '', confirmPassword: '', mode: 'external', code: '' }
const reloadDelayMs = 1500

export function SetupPage(): ReactNode {
  const { t } = useTranslation('setup')
  const { data, error, refetch, isFetching } = useQuery(setupStatusQuery)
  usePageTitle(t('title'))
  return (
    <div className="mx-auto w-full max-w-[560px] px-4 py-10 max-sm:py-6">
      <h1 className="font-semibold text-2xl tracking-tight">{t('title')}</h1>
      <p className="mt-1 mb-6 text-muted">{t('description')}</p>
      {data ? (
        <SetupSteps
          needs={{ account: !data.root_init, code: data.code_required }}
          onSqlite={data.database_type === 'sqlite'}
        />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />
      ) : (
        <Skeleton className="h-80!" />
      )}
    </div>
  )
}

interface SetupStepsProps {
  readonly needs: SetupNeeds
  readonly onSqlite: boolean
}

function SetupSteps({ needs, onSqlite }: SetupStepsProps) {
  const { t } = useTranslation('setup')
  const [form, setForm] = useState(blankForm)
  const [checked, setChecked] = useState(false)
  const { mutateAsync, isPending, isSuccess, error } = useMutation(runSetup)
  const problems = setupProblems(form, needs)
  const fields: SetupFieldsProps = {
    form,
    change: (part) => setForm({ ...form, ...part }),
    problemOf(field) {
      const problem = checked ? problems[field] : undefined
      return problem && t(`problem.${problem}`)
    },
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    setChecked(true)
    if (Object.keys(problems).length > 0) return
    const body = setupBodyOf(form, needs)
    const done = await mutateAsync(body).then(
      () => true,
      () => false,
    )
    if (done) await beginAs(body)
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      {onSqlite && (
        <Notice tone="warn" title={t('sqlite.title')}>
          <p>{t('sqlite.container')}</p>
          <p className="mt-1">{t('sqlite.server')}</p>
        </Notice>
      )}
      {needs.code && <CodeField {...fields} />}
      {needs.account ? <AccountFields {...fields} /> : <Notice tone="info">{t('adminExists')}</Notice>}
      <ModeChoice form={form} onChange={fields.change} />
      {error && <Notice tone="bad">{failureText(error, t)}</Notice>}
      {isSuccess && <Notice tone="good">{t('done')}</Notice>}
      <Button
        type="submit"
        variant="primary"
        loading={isPending || isSuccess}
        className="self-start max-sm:w-full"
      >
        {t('submit')}
      </Button>
    </form>
  )
}

/** Logs the new administrator in and opens the console from the beginning. */
async function beginAs(body: Partial<SetupBody>): Promise<void> {
  // What was learnt before setup is wrong now, and a login of an earlier installation is none here.
  writeLocal('status', null)
  clearUser()
  const user = await logInAs(body)
  if (user) storeUser(user)
  setTimeout(() => window.location.reload(), reloadDelayMs)
}

interface SetupFieldsProps {
  readonly form: SetupForm
  readonly change: (part: Partial<SetupForm>) => void
  /** Returns the problem of a field, in words. */
  readonly problemOf: (field: keyof SetupForm) => string | undefined
}

function CodeField({ form, change, problemOf }: SetupFieldsProps) {
  const { t } = useTranslation('setup')
  return (
    <Field label={t('code')} hint={t('codeHint')} error={problemOf('code')} required>
      <Input
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        placeholder="XXXX-XXXX-XXXX"
        className="font-mono"
        value={form.code}
        onChange={(event) => change({ code: event.target.value })}
      />
    </Field>
  )
}

/** The first administrator. */
function AccountFields({ form, change, problemOf }: SetupFieldsProps) {
  const { t } = useTranslation('setup')
  const passwordField = (name: 'password' | 'confirmPassword', hint?: string) => (
    <Field label={t(name)} hint={hint} error={problemOf(name)} required>
      <PasswordInput
        name={name}
        autoComplete="new-password"
        value={form[name]}
        onChange={(event) => change({ [name]: event.target.value })}
      />
    </Field>
  )
  return (
    <fieldset className="flex flex-col gap-4 rounded-lg border bg-surface p-5">
      <legend className="sr-only">{t('account')}</legend>
      <Field label={t('username')} error={problemOf('username')} required>
        <Input
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          autoFocus
          value={form.username}
          onChange={(event) => change({ username: event.target.value })}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        {passwordField('password', t('passwordHint'))}
        {passwordField('confirmPassword')}
      </div>
    </fieldset>
  )
}

/** The refusal's own sentence; another text where it has none, or the response is unreadable. */
function failureText(error: Error, t: TFunction<'setup'>): string {
  const isRefusal = error instanceof ApiError && error.status === 200
  return isRefusal ? error.message || t('failed') : t('failedSystem')
}

interface ModeChoiceProps {
  readonly form: SetupForm
  readonly onChange: (part: Partial<SetupForm>) => void
}

function ModeChoice({ form, onChange }: ModeChoiceProps) {
  const { t } = useTranslation('setup')
  const [explained, setExplained] = useState(false)
  return (
    <section>
      <div className="mb-2 flex items-center gap-1">
        <h2 className="font-semibold text-base">{t('mode.title')}</h2>
        <IconButton
          icon={CircleHelp}
          label={t('mode.explain')}
          size="sm"
          onClick={() => setExplained(true)}
        />
      </div>
      <RadioGroup
        look="cards"
        aria-label={t('mode.title')}
        value={form.mode}
        onValueChange={(mode) => onChange({ mode })}
        options={usageModes.map((mode) => ({
          value: mode,
          label: t(`mode.${mode}.name`),
          hint: t(`mode.${mode}.hint`),
        }))}
      />
      <p className="mt-2 text-muted text-xs">{t('mode.later')}</p>
      <Dialog open={explained} onClose={() => setExplained(false)} title={t('mode.explainTitle')}>
        <dl className="flex flex-col gap-4">
          {usageModes.map((mode) => (
            <div key={mode}>
              <dt className="font-medium">{t(`mode.${mode}.name`)}</dt>
              <dd className="mt-0.5 text-muted">{t(`mode.${mode}.explanation`)}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </section>
  )
}

const setupStatusQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => request(calls.setup.read, { signal }),
})

const runSetup = mutationOptions({
  mutationFn: (body: Partial<SetupBody>) => request(calls.setup.run, { body }),
  meta: { silent: true },
})

/** Logs in as the administrator who was just made; `undefined` where that fails, and the login page is left to them. */
async function logInAs({ username, password }: Partial<SetupBody>): Promise<SessionUser | undefined> {
  if (!username || !password) return undefined
  const response = await request(calls.users.login, { body: { username, password } }).catch(() => undefined)
  return response && 'id' in response ? response : undefined
}
