import type { Connection } from '../database.ts'
import type { FiguresRepository } from '../figures-repository.ts'

export function createFiguresRepository({ read }: Connection): FiguresRepository {
  return {
    list: (range, userId) => read('readFigures', range, userId),
    modelTotals: (since, today, userId) => read('readModelTotals', since, today, userId),
    failingChannels: (since, until, limit) => read('readFailingChannels', since, until, limit),
  }
}
