import { useQuery } from '@tanstack/react-query'
import type { Channel } from '@tollgate/api'
import { findChannelType } from '@tollgate/api/channel-types'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { FormSection } from '../../../components/ui/card.tsx'
import { Input, Textarea } from '../../../components/ui/field/input.tsx'
import { Select } from '../../../components/ui/select/select.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { typeModelsQuery } from '../api.ts'
import { endsInVersion, withoutVersion } from './channel-form.ts'
import { FormField, type SectionProps } from './form-field.tsx'
import { KeysField } from './keys-field.tsx'
import { PlainFields } from './plain-fields.tsx'
import { offeredTypes } from './type-facts.ts'

export interface BasicsSectionProps extends SectionProps {
  /** The stored channel, when one is edited. */
  readonly channel: Channel | undefined
}

/** Edits the name of the channel, its address and its keys. */
export function BasicsSection(props: BasicsSectionProps) {
  const { form, change, problems } = props
  const { t } = useTranslation('channels')
  return (
    <FormSection id="basics" title={t('section.basics')}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TypeField {...props} />
        <FormField name="name" problem={problems.name} label={t('field.name')} required>
          <Input
            value={form.name}
            placeholder={t('placeholder.name')}
            onChange={(event) => change({ name: event.target.value })}
          />
        </FormField>
      </div>
      <TypeNote type={form.type} />
      <KeysField {...props} />
      <BaseUrlField {...props} />
      <OtherField {...props} />
      <PlainFields section="basics" {...props} />
    </FormSection>
  )
}

function TypeField({ form, change, problems }: SectionProps) {
  const { t } = useTranslation('channels')
  const { data: defaultModels } = useQuery(typeModelsQuery)
  const options = useMemo(
    () =>
      offeredTypes(form.type).map((type) => ({
        value: type.id,
        label: type.name,
      })),
    [form.type],
  )

  function choose(type: number): void {
    const untouched = form.models.length === 0 || isSameList(form.models, defaultModels?.[form.type] ?? [])
    change({ type, ...(untouched && { models: defaultModels?.[type] ?? [] }) })
  }

  return (
    <FormField name="type" problem={problems.type} label={t('field.type')} required>
      <Select value={form.type} onValueChange={choose} options={options} searchable />
    </FormField>
  )
}

/** Decides whether the models are still those that another type was filled in with. */
function isSameList(models: readonly string[], fallback: readonly string[]): boolean {
  return models.length === fallback.length && fallback.every((model) => models.includes(model))
}

function TypeNote({ type }: { readonly type: number }) {
  const { t } = useTranslation('channels')
  const note = findChannelType(type)?.note
  return note ? <Notice tone="info">{t(`note.${note}`)}</Notice> : null
}

const addressLabels = {
  host: 'field.baseUrl',
  endpoint: 'field.endpoint',
  complete: 'field.fullUrl',
} as const

function BaseUrlField({ form, change, problems }: SectionProps) {
  const { t } = useTranslation('channels')
  const type = findChannelType(form.type)
  const standard = type?.defaultBaseUrl ?? ''
  const isComplete = type?.address === 'complete'
  return (
    <FormField
      name="baseUrl"
      problem={problems.baseUrl}
      label={t(addressLabels[type?.address ?? 'host'])}
      required={standard === ''}
      hint={
        isComplete
          ? t('hint.fullUrl')
          : standard === ''
            ? t('hint.baseUrlNeeded')
            : t('hint.baseUrl', { address: standard })
      }
    >
      <Input
        mono
        type="url"
        inputMode="url"
        value={form.baseUrl}
        placeholder={
          standard || (isComplete ? 'https://example.com/v1/chat/completions' : 'https://example.com')
        }
        onChange={(event) => change({ baseUrl: event.target.value })}
      />
      {endsInVersion(form) && (
        <p
          className="flex items-center justify-between gap-2 rounded bg-warn-soft py-1 pr-1 pl-2.5 text-warn text-xs"
          role="status"
        >
          {t('version.hint')}
          <Button size="sm" onClick={() => change({ baseUrl: withoutVersion(form.baseUrl) })}>
            {t('version.remove')}
          </Button>
        </p>
      )}
    </FormField>
  )
}

function OtherField({ form, change, problems }: SectionProps) {
  const { t } = useTranslation('channels')
  const field = findChannelType(form.type)?.other
  if (field === undefined) return null
  const { kind, hint } = field
  const common = {
    value: form.other,
    placeholder: kind === 'general' ? hint : t(`other.${kind}.placeholder`),
  }
  return (
    <FormField
      name="other"
      problem={problems.other}
      label={t(`other.${kind}.label`)}
      hint={t(`other.${kind}.hint`)}
    >
      {kind === 'region' ? (
        <Textarea
          mono
          rows={2}
          className="min-h-14!"
          {...common}
          onChange={(event) => change({ other: event.target.value })}
        />
      ) : (
        <Input mono {...common} onChange={(event) => change({ other: event.target.value })} />
      )}
    </FormField>
  )
}
