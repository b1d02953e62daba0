import { settingCatalogue } from '@tollgate/api/settings'
import { Plus, X } from 'lucide-react'
import { type ChangeEvent, type KeyboardEvent, Suspense, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { ErrorText } from '../../../components/ui/field/field.tsx'
import { Input, Textarea } from '../../../components/ui/field/input.tsx'
import { QuotaInput } from '../../../components/ui/field/quota-input.tsx'
import { Select } from '../../../components/ui/select/select.tsx'
import { Skeleton } from '../../../components/ui/states.tsx'
import { lazyComponent } from '../../../lib/lazy-component.ts'
import type { VisibleKey } from '../model/catalogue.ts'
import { fieldName, problemOf } from '../model/texts.ts'
import { useProblemText } from '../problem-text.ts'
import { useSettings } from '../settings-context.ts'

const JsonEditor = lazyComponent(() => import('../../../components/ui/field/json-editor.tsx'), 'JsonEditor')

/** The control for a setting of this kind. */
export function SettingControl(props: SettingControlProps) {
  const { setting, value, disabled, onChange, onLeave } = props
  const { control } = settingCatalogue[setting]
  const text = {
    value,
    disabled,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange(event.target.value),
    onBlur: onLeave,
  }
  switch (control.kind) {
    case 'integer':
    case 'decimal':
      if (amounts.has(setting)) return <AmountControl {...props} />
      return <Input {...text} className="figures max-w-64" inputMode="decimal" />
    case 'choice':
      return <ChoiceControl {...props} choices={control.choices} />
    case 'commas':
      return <DomainList {...props} />
    case 'json':
      return (
        // biome-ignore lint/a11y/noStaticElementInteractions: it only notices when the focus leaves the editor
        <div onBlur={onLeave}>
          <Suspense fallback={<Skeleton className="h-24" />}>
            <JsonEditor value={value} disabled={disabled} onValueChange={onChange} />
          </Suspense>
        </div>
      )
    case 'text':
      if (!control.multiline) return <Input {...text} />
  }
  return <Textarea {...text} rows={4} />
}

/** Amounts of quota, which are typed in currency where money is shown in currency. */
const amounts: ReadonlySet<VisibleKey> = new Set([
  'QuotaForNewUser',
  'QuotaForInviter',
  'QuotaForInvitee',
  'QuotaRemindThreshold',
])

/** Edits an amount in dollars by the rate that the form holds, because both are saved together. */
function AmountControl({ value, disabled, onChange, onLeave }: SettingControlProps) {
  const { form } = useSettings()
  const rate = Number(useWatch({ control: form.control, name: fieldName('QuotaPerUnit') }))
  return (
    <QuotaInput
      className="max-w-64"
      value={value.trim() === '' ? undefined : Number(value)}
      quotaPerUnit={rate > 0 ? rate : undefined}
      disabled={disabled}
      onValueChange={(quota) => onChange(quota === undefined ? '' : String(quota))}
      onBlur={onLeave}
    />
  )
}

function ChoiceControl({
  choices,
  value,
  disabled,
  onChange,
}: SettingControlProps & { readonly choices: readonly string[] }) {
  const { t } = useTranslation('settings')
  const names: Readonly<Record<string, string>> = {
    hour: t('choice.hour'),
    day: t('choice.day'),
    week: t('choice.week'),
  }
  return (
    <Select
      className="max-w-64"
      value={value}
      disabled={disabled}
      onValueChange={onChange}
      options={choices.map((choice) => ({ value: choice, label: names[choice] ?? choice.toUpperCase() }))}
    />
  )
}

/** The props of every control of a setting. */
interface SettingControlProps {
  readonly setting: VisibleKey
  readonly value: string
  readonly disabled: boolean
  readonly onChange: (value: string) => void
  /** Checks the value when the focus leaves the control. */
  readonly onLeave: () => void
}

/** Mail domains, added one by one; each is checked first. */
function DomainList({ setting, value, disabled, onChange }: SettingControlProps) {
  const { t } = useTranslation('settings')
  const problemText = useProblemText()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const domains = value.split(',').filter((domain) => domain !== '')

  function add(): void {
    const domain = typed.trim().toLowerCase()
    const wrong = problemOf(setting, domain)
    if (domain === '' || domain.includes(',')) setProblem(t('domains.one'))
    else if (wrong) setProblem(problemText(wrong))
    else if (domains.includes(domain)) setProblem(t('domains.duplicate'))
    else accept(domain)
  }
  function accept(domain: string): void {
    onChange([...domains, domain].join(','))
    setTyped('')
    setProblem(undefined)
  }
  function addByEnter(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    add()
  }

  return (
    <div className="flex flex-col gap-2">
      <div className="flex gap-2">
        <Input
          value={typed}
          disabled={disabled}
          placeholder="example.com"
          onChange={(event) => {
            setTyped(event.target.value)
            setProblem(undefined)
          }}
          onKeyDown={addByEnter}
        />
        <Button icon={Plus} disabled={disabled} onClick={add}>
          {t('domains.add')}
        </Button>
      </div>
      <ErrorText>{problem}</ErrorText>
      <ul className="flex flex-wrap gap-1">
        {domains.map((domain) => (
          <li key={domain} className="flex h-6 items-center rounded-sm bg-hover pl-2 text-xs max-sm:h-10">
            {domain}
            <button
              type="button"
              disabled={disabled}
              aria-label={t('domains.remove', { domain })}
              className="grid size-6 place-items-center text-muted hover:text-text max-sm:size-10"
              onClick={() => onChange(domains.filter((other) => other !== domain).join(','))}
            >
              <X className="size-3" aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
