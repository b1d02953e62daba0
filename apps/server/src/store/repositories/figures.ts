import type { Connection } from '../database.ts'
import type { StatisticsRepository } from '../figures-repository.ts'

export function createStatisticsRepository({ read }: Connection): StatisticsRepository {
  return {
    list: (range, userId) => read('readUsageBuckets', range, userId),
    modelTotals: (since, today, userId) => read('readModelTotals', since, today, userId),
    failingChannels: (since, until, limit) => read('readFailingChannels', since, until, limit),
  }
}
