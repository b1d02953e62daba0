import { useQuery } from '@tanstack/react-query'
import { type ListChangeMode, listChangeModes, priorityMin } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { Field } from '../../../components/ui/field/field.tsx'
import { Input, NumberInput } from '../../../components/ui/field/input.tsx'
import { MultiSelect } from '../../../components/ui/select/multi-select.tsx'
import { Select } from '../../../components/ui/select/select.tsx'
import { groupsQuery } from '../../../lib/api/account.ts'
import { isRoot, useUser } from '../../../lib/session/session.ts'
import { knownModelsQuery } from '../api.ts'
import type { ListDraft, ManyForm, TextDraft } from './many-form.ts'

export interface ManyFieldsProps {
  readonly form: ManyForm
  readonly onChange: (part: Partial<ManyForm>) => void
}

/** Edits the fields that can be changed on many channels; each stays as it is until it gets a value. */
export function ManyFields({ form, onChange }: ManyFieldsProps) {
  const { t } = useTranslation('channels')
  const { data: known = [] } = useQuery(knownModelsQuery)
  const { data: groups = [] } = useQuery(groupsQuery)
  const unchanged = t('tag.unchanged')
  return (
    <>
      <ListField
        label={t('field.models')}
        draft={form.models}
        options={known}
        mono
        onChange={(models) => onChange({ models })}
      />
      <ListField
        label={t('field.groups')}
        draft={form.group}
        options={groups}
        onChange={(group) => onChange({ group })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('field.priority')} hint={t('many.priorityHint')}>
          <NumberInput
            value={form.priority}
            min={priorityMin}
            placeholder={unchanged}
            onValueChange={(priority) => onChange({ priority })}
          />
        </Field>
        <Field label={t('field.weight')} hint={t('many.weightHint')}>
          <NumberInput
            value={form.weight}
            min={0}
            placeholder={unchanged}
            onValueChange={(weight) => onChange({ weight })}
          />
        </Field>
      </div>
      <TextField label={t('field.tag')} draft={form.tag} onChange={(tag) => onChange({ tag })} />
      {/* Through another proxy, stored keys pass another server: only root decides that. */}
      {isRoot(useUser()) && (
        <TextField
          label={t('setting.proxy')}
          draft={form.proxy}
          placeholder="socks5://user:password@proxy.example.com:1080"
          mono
          onChange={(proxy) => onChange({ proxy })}
        />
      )}
    </>
  )
}

interface ListFieldProps {
  readonly label: string
  readonly draft: ListDraft
  readonly options: readonly string[]
  readonly mono?: boolean
  readonly onChange: (draft: ListDraft) => void
}

const row = 'grid gap-2 sm:grid-cols-[9rem_minmax(0,1fr)]'

function ListField({ label, draft, options, mono = false, onChange }: ListFieldProps) {
  const { t } = useTranslation('channels')
  const modes = ['keep', ...listChangeModes] as const
  return (
    <fieldset className={row}>
      <Field label={label}>
        <Select<'keep' | ListChangeMode>
          value={draft.mode}
          onValueChange={(mode) => onChange({ ...draft, mode })}
          options={modes.map((value) => ({ value, label: t(`many.mode.${value}`) }))}
        />
      </Field>
      {draft.mode !== 'keep' && (
        <Field label={t('many.names', { field: label, mode: t(`many.mode.${draft.mode}`) })}>
          <MultiSelect
            values={draft.names}
            onValuesChange={(names) => onChange({ ...draft, names })}
            options={options}
            mono={mono}
            creatable
          />
        </Field>
      )}
    </fieldset>
  )
}

interface TextFieldProps {
  readonly label: string
  readonly draft: TextDraft
  readonly placeholder?: string
  readonly mono?: boolean
  readonly onChange: (draft: TextDraft) => void
}

function TextField({ label, draft, placeholder, mono = false, onChange }: TextFieldProps) {
  const { t } = useTranslation('channels')
  return (
    <fieldset className={row}>
      <Field label={label}>
        <Select<TextDraft['mode']>
          value={draft.mode}
          onValueChange={(mode) => onChange({ ...draft, mode })}
          options={(['keep', 'set', 'clear'] as const).map((value) => ({
            value,
            label: t(`many.mode.${value}`),
          }))}
        />
      </Field>
      {draft.mode === 'set' && (
        <Field label={t('many.names', { field: label, mode: t('many.mode.set') })}>
          <Input
            mono={mono}
            value={draft.text}
            {...(placeholder !== undefined && { placeholder })}
            onChange={(event) => onChange({ ...draft, text: event.target.value })}
          />
        </Field>
      )}
    </fieldset>
  )
}
