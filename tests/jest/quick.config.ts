import { configOf } from "../../jest.config";

export default configOf("quick");
