import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLocal, writeLocal } from '../../../lib/local-store.ts'
import { useUser } from '../../../lib/session.ts'
import { groupsQuery, modelsQuery } from '../api.ts'
import {
  chooseGroup,
  chooseModel,
  chooseOtherModel,
  groupChoices,
  type PlaygroundSettings,
  readSettings,
} from './settings.ts'

const settingsKey = 'draft:playground'

/** The settings with what there is to choose from. `linkedModel` is the model the page was opened for. */
export function usePlaygroundSettings(linkedModel: string | undefined, onModelChosen: () => void) {
  const kept = useLocal(settingsKey)
  const own = useUser()?.group ?? ''
  const stored = useMemo(() => readSettings(kept), [kept])
  const models = useQuery(modelsQuery)
  const groups = useQuery(groupsQuery)
  const choices = useMemo(() => groupChoices(groups.data ?? {}, own), [groups.data, own])
  const reachable = models.data ?? []
  const model = linkedModel ?? chooseModel(stored.model, reachable)
  const settings: PlaygroundSettings = {
    ...stored,
    model,
    group: chooseGroup(stored.group, choices),
    otherModel: chooseOtherModel(stored.otherModel, reachable, model),
    otherGroup: chooseGroup(stored.otherGroup, choices),
  }
  return {
    settings,
    models: models.data,
    groups: groups.data && choices,
    error: models.error ?? groups.error,
    retry: () => {
      void models.refetch()
      void groups.refetch()
    },
    change: (part: Partial<PlaygroundSettings>) => {
      writeLocal(settingsKey, JSON.stringify({ ...stored, ...part }))
      if (part.model !== undefined) onModelChosen()
    },
  }
}

export type SettingsState = ReturnType<typeof usePlaygroundSettings>
