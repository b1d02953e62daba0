import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { GroupField } from '@tollgate/api'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { FormField, RateLimitFields } from '../../components/form/index.ts'
import { FormSection } from '../../components/ui/card.tsx'
import { Switch } from '../../components/ui/field/choice.tsx'
import { Input, NumberInput } from '../../components/ui/field/input.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { settingsQuery } from '../../lib/api/options.ts'
import type { GroupForm } from './group-form.ts'

interface GroupFieldsProps {
  readonly form: UseFormReturn<GroupForm>
  /** Fields that the person may change; the others are locked. */
  readonly writable: readonly GroupField[]
  /** Fields that they may see. */
  readonly readable: readonly GroupField[]
}

/** The settings of a group: price, who may choose it, limits. */
export function GroupFields({ form, writable, readable }: GroupFieldsProps) {
  const { t } = useTranslation('groups')
  const part = (field: GroupField) => ({ form, disabled: !writable.includes(field) })
  return (
    <>
      <FormSection id="price" title={t('section.price')}>
        <div className="grid gap-4 sm:grid-cols-2">
          <RatioField {...part('ratio')} name="ratio" />
          {readable.includes('top_up_ratio') && <RatioField {...part('top_up_ratio')} name="top_up_ratio" />}
        </div>
        <OpenFields {...part('is_open')} />
      </FormSection>
      {readable.includes('user_limits') && (
        <FormSection
          id="user-limits"
          title={t('section.userLimits')}
          description={t('section.userLimitsHint')}
        >
          <UserLimitFields {...part('user_limits')} />
        </FormSection>
      )}
      {readable.includes('concurrency') && (
        <FormSection id="limits" title={t('section.limits')} description={t('section.limitsHint')}>
          <fieldset disabled={!writable.includes('concurrency')} className="contents">
            <RateLimitFields form={form} />
          </fieldset>
        </FormSection>
      )}
    </>
  )
}

interface PartProps {
  readonly form: UseFormReturn<GroupForm>
  readonly disabled: boolean
}

function RatioField({ form, name, disabled }: PartProps & { readonly name: 'ratio' | 'top_up_ratio' }) {
  const { t } = useTranslation('groups')
  return (
    <FormField<GroupForm, number | undefined>
      form={form}
      name={name}
      label={t(`field.${name}`)}
      hint={t(`field.${name}Hint`)}
    >
      {({ value, onChange, onBlur }) => (
        <NumberInput decimal value={value} disabled={disabled} onValueChange={onChange} onBlur={onBlur} />
      )}
    </FormField>
  )
}

function OpenFields({ form, disabled }: PartProps) {
  const { t } = useTranslation('groups')
  const isOpen = form.watch('is_open')
  return (
    <>
      <Switch
        label={t('field.is_open')}
        hint={t('field.is_openHint')}
        checked={isOpen}
        disabled={disabled}
        onCheckedChange={(on) => form.setValue('is_open', on, { shouldDirty: true })}
      />
      {isOpen && (
        <FormField<GroupForm, string> form={form} name="description" label={t('field.description')}>
          {({ value, onChange, onBlur }) => (
            <Input
              value={value}
              maxLength={500}
              disabled={disabled}
              onChange={(event) => onChange(event.target.value)}
              onBlur={onBlur}
            />
          )}
        </FormField>
      )}
    </>
  )
}

/** The options that decide whether, and over how long, requests of each user are counted. */
function useGeneralLimit() {
  const { data } = useQuery(settingsQuery)
  const textOf = (name: string) => data?.find(({ key }) => key === name)?.value
  return {
    isOff: textOf('ModelRequestRateLimitEnabled') === 'false',
    minutes: Number(textOf('ModelRequestRateLimitDurationMinutes') ?? 1),
  }
}

function UserLimitFields({ form, disabled }: PartProps) {
  const { t } = useTranslation('groups')
  const { isOff, minutes } = useGeneralLimit()
  const hasLimits = form.watch('hasUserLimits')
  return (
    <>
      <Switch
        label={t('field.hasUserLimits')}
        hint={t('field.hasUserLimitsHint')}
        checked={hasLimits}
        disabled={disabled}
        onCheckedChange={(on) => form.setValue('hasUserLimits', on, { shouldDirty: true })}
      />
      {hasLimits && isOff && (
        <Notice tone="warn">
          {t('userLimitsOff')}{' '}
          <Link to="/setting" search={{ tab: 'ratelimit' }} className="underline">
            {t('userLimitsOn')}
          </Link>
        </Notice>
      )}
      {hasLimits && (
        <div className="grid gap-4 sm:grid-cols-2">
          {(['successes', 'requests'] as const).map((name) => (
            <FormField<GroupForm, number | undefined>
              key={name}
              form={form}
              name={name}
              label={t(`field.${name}`, { count: minutes })}
              hint={t(`field.${name}Hint`)}
            >
              {({ value, onChange, onBlur }) => (
                <NumberInput
                  value={value}
                  min={0}
                  disabled={disabled}
                  onValueChange={onChange}
                  onBlur={onBlur}
                />
              )}
            </FormField>
          ))}
        </div>
      )}
    </>
  )
}
