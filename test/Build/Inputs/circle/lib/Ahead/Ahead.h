#include "../Behind/Behind.h"
