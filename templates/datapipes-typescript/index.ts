import { declarePipes } from "./pipes";

const { orders } = declarePipes();

export const pipeId = orders.id;
