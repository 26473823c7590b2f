import { declarePipes } from "./no-op-pipes";

declarePipes("stateful");
