import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { DateTimePicker } from '../../components/ui/date/date-time-picker.tsx'
import { Field } from '../../components/ui/field/field.tsx'
import { Input } from '../../components/ui/field/input.tsx'
import { Select } from '../../components/ui/select/select.tsx'
import { pricedModelsQuery, ratedGroupsQuery } from './api.ts'
import type { CorrectionsSearch } from './search.ts'

interface SelectionFieldsProps {
  readonly search: CorrectionsSearch
  readonly onChange: (part: CorrectionsSearch) => void
}

/** Model, channel, group, user and span of the calls. */
export function SelectionFields({ search, onChange }: SelectionFieldsProps) {
  const { t } = useTranslation('corrections')
  const { data: models } = useQuery(pricedModelsQuery)
  const { data: groups } = useQuery(ratedGroupsQuery)
  const { model, group } = search
  return (
    <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      <Field label={t('calls.from')} required>
        <DateTimePicker value={search.from} onValueChange={(from) => onChange({ from })} />
      </Field>
      <Field label={t('calls.to')} required>
        <DateTimePicker value={search.to} onValueChange={(to) => onChange({ to })} />
      </Field>
      <Field label={t('calls.model')}>
        <Select
          value={model ?? ''}
          onValueChange={(next) => onChange({ model: next || undefined })}
          options={choices(
            t('calls.anyModel'),
            models?.map(({ model_name }) => model_name),
            model,
          )}
        />
      </Field>
      <Field label={t('calls.group')}>
        <Select
          value={group ?? ''}
          onValueChange={(next) => onChange({ group: next || undefined })}
          options={choices(t('calls.anyGroup'), groups, group)}
        />
      </Field>
      <Field label={t('calls.user')}>
        <Input
          value={search.user ?? ''}
          placeholder={t('calls.anyUser')}
          onChange={(event) => onChange({ user: event.target.value || undefined })}
        />
      </Field>
      <Field label={t('calls.channel')}>
        <Input
          inputMode="numeric"
          value={search.channel ?? ''}
          placeholder={t('calls.anyChannel')}
          onChange={(event) => onChange({ channel: Number.parseInt(event.target.value, 10) || undefined })}
        />
      </Field>
    </div>
  )
}

/** A name of the address that is in no list stays chosen. */
function choices(any: string, names: readonly string[] = [], chosen: string | undefined) {
  const all = chosen !== undefined && !names.includes(chosen) ? [chosen, ...names] : names
  return [{ value: '', label: any }, ...all.map((name) => ({ value: name, label: name }))]
}
